// Imported ahead of every process that is measured: says what it cost, in its last breath.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.BENCH_CPU_FILE, String((user + system) / 1000));
});

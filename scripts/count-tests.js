import { readFileSync } from 'node:fs';

// Prints `<passed> <failed>` of a vitest JSON report; a file that failed to load is one failure.
const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const broken = report.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
console.log(report.numPassedTests, report.numFailedTests + broken.length);

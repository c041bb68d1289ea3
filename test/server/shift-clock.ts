/** Moves the wall clock of a process. For `--import`: each SIGUSR2 moves it by `CLOCK_STEP` milliseconds. */
const realNow = Date.now.bind(Date);
let shifted = 0;

Date.now = () => realNow() + shifted;
process.on('SIGUSR2', () => {
  shifted += Number(process.env['CLOCK_STEP']);
});

/** Sets by how many milliseconds the process's wall clock is wrong. */
export function setWallClock(ms: number): void {
  shifted = ms;
}

/** For `--import`: each SIGUSR2 sets the process's wall clock by `CLOCK_STEP` milliseconds. */
const realNow = Date.now.bind(Date);
let shifted = 0;

Date.now = () => realNow() + shifted;
process.on('SIGUSR2', () => {
  shifted += Number(process.env['CLOCK_STEP']);
});

// Loaded before the command line (`--import`): the clock on the wall goes back by up to an hour each second, and forth again.

const { now } = Date;
const beganMs = now();
Date.now = () => now() - ((Math.floor((now() - beganMs) / 1_000) * 1_361_000) % 3_600_000);

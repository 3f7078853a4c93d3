// The replay of an attempt, in the time that it took.

const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const PAUSES = [0.5, 1, 2, 5, 10, Infinity];
// A move without a time is replayed as if it had taken this long, in seconds.
const UNTIMED = 1;

class Replay {
  constructor(onStep, onChange) {
    this.onStep = onStep;
    this.onChange = onChange;
    this.speed = 1;
    this.longest = 2;
    this.attempt = null;
    this.step = 0;
  }

  load(attempt) {
    this.stop();
    this.attempt = attempt;
    this.step = 0;
  }

  get last() {
    return this.attempt ? this.attempt.states.length - 1 : 0;
  }

  get isPlaying() {
    return this.timer !== undefined;
  }

  // Time that has passed until a step, in seconds; absent times count nothing.
  elapsed(step) {
    return this.attempt.times.slice(0, step).reduce((sum, time) => sum + (time ?? 0), 0);
  }

  go(step) {
    this.step = between(0, step, this.last);
    this.onStep();
  }

  play() {
    if (!this.attempt || this.isPlaying) return;
    if (this.step >= this.last) this.go(0);
    this.wait();
    this.onChange();
  }

  wait() {
    if (this.step >= this.last) return this.stop();
    const time = Math.min(this.attempt.times[this.step] ?? UNTIMED, this.longest);
    this.timer = setTimeout(() => {
      this.go(this.step + 1);
      this.wait();
    }, (1000 * time) / this.speed);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.onChange();
  }
}

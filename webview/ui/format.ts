const language = document.documentElement.lang;
const whole = new Intl.NumberFormat(language);
const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' });
const short = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
const long = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });

// A hyphen before a figure is easily overlooked; a bill must not hide its minus.
const minus = (text: string): string => text.replace('-', '\u2212');

export const number = (value: number): string => minus(whole.format(value));
export const withSign = (value: number): string => minus(signed.format(value));
export const percent = (share: number): string => minus(percents.format(share));
/** Bytes as MB of 2^20 bytes, without the unit. */
export const mega = (bytes: number): string => oneDigit.format(bytes / 2 ** 20);

const units = ['B', 'KB', 'MB', 'GB'];
/** Bytes with the unit, a step being 1,024, that keeps the figure short. */
export const size = (bytes: number): string => {
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${oneDigit.format(bytes / 2 ** (10 * step))} ${units[step]}`;
};

/** Milliseconds as `240 ms`, `3.2 s`, `4 min 10 s`. */
export const duration = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${oneDigit.format(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${whole.format(Math.floor(seconds / 60))} min ${seconds % 60} s`;
};

const dayMs = 86_400_000;
/** Clocks of two programs may differ by so much. */
const skewMs = 60_000;
/** The clock's time within the last half day, else the day too: for what is to come always. */
export const moment = (at: number): string => {
  const age = Date.now() - at;
  return (age > -skewMs && age < dayMs / 2 ? clock : short).format(at);
};
/** A mark on an axis of stretches of `step` milliseconds. */
export const mark = (at: number, step: number): string =>
  (step >= dayMs ? day : step >= dayMs / 96 ? short : clock).format(at);
export const fully = (at: number): string => long.format(at);

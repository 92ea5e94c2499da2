const language = document.documentElement.lang;
const whole = new Intl.NumberFormat(language);
const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

// A hyphen before a figure is easily overlooked; a bill must not hide its minus.
const minus = (text: string): string => text.replace('-', '\u2212');

export const number = (value: number): string => minus(whole.format(value));
export const withSign = (value: number): string => minus(signed.format(value));
export const percent = (share: number): string => minus(percents.format(share));
/** Bytes as MB of 2^20 bytes, without the unit. */
export const mega = (bytes: number): string => megabytes.format(bytes / 2 ** 20);

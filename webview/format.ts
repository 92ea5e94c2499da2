const language = document.documentElement.lang;
const whole = new Intl.NumberFormat(language);
const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

export const number = (value: number): string => whole.format(value);
export const withSign = (value: number): string => signed.format(value);
export const percent = (share: number): string => percents.format(share);
/** Bytes as MB of 2^20 bytes, without the unit. */
export const mega = (bytes: number): string => megabytes.format(bytes / 2 ** 20);

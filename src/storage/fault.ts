/**
 * A test's hand in the machinery: called at every point where a crash, a pause or a failing disk must do no harm. It may
 * end or stop the process, or throw what the operating system would have thrown there. At `append`, `cut(share)` writes
 * only that share of the record first.
 */
export type Fault = (point: string, cut?: (share: number) => void) => void;

export const noFault: Fault = () => undefined;

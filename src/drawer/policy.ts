// What a person decides about the drawer.
export type DrawerPolicy = {
  /** Days without use after which a session expires. */
  ttlDays: number;
  /** Most MiB of the drawer's image. */
  maxSizeMB: number;
  /** At the cap: old documents go, or the store is refused. */
  whenFull: 'evict' | 'refuse';
  /** Mask secrets on the way in. */
  redact: boolean;
};

export const defaultPolicy: DrawerPolicy = { ttlDays: 30, maxSizeMB: 200, whenFull: 'evict', redact: true };

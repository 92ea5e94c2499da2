/**
 * What a member may do about the newest link: succeed the owner that it names, ask it, or wait. INVARIANT: only a dead
 * owner is succeeded; whoever is alive and silent is waited for.
 */
import { LoomError } from '#base/errors.ts';
import { judge, type Link, type SeenLink } from '#storage/file/chain.ts';
import { newer } from '#storage/file/journal.ts';
import type { Identity } from '#storage/owner/election.ts';

const tornMs = 1_000;
/** So long whoever asked for the folder goes first. */
const heirFirstMs = 3_000;

export class LinkJudge {
  readonly #identity: Identity;
  #torn: (Pick<SeenLink, 'raw' | 'epoch'> & { since: number }) | undefined;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  /** `waited`: for how many milliseconds this member has been looking for an owner. `nonce`: as whom it asked for the folder. */
  judge(seen: SeenLink, waited: number, nonce: string | undefined): 'dead' | 'ask' | 'wait' {
    const { machine, protocol } = this.#identity;
    const { raw, link } = seen;
    if (raw === undefined) return 'dead';
    if (link === undefined) return this.#tornFor(seen) > tornMs ? 'dead' : 'wait';
    const verdict = judge(link, machine);
    if (verdict !== 'ask') this.refuseNewer(link);
    if (verdict === 'foreign') throw foreign(link.host);
    if (verdict === 'ask') return 'ask';
    const others = (link.wants ?? 0) > protocol[1] || (link.heir !== undefined && link.heir !== nonce);
    return others && waited < heirFirstMs ? 'wait' : 'dead';
  }

  /** A newer format may be used through its owner, never owned. */
  refuseNewer(link: Link | undefined): void {
    if (link && link.format > this.#identity.format) throw newer(`The drawer (Loom ${link.app})`);
  }

  #tornFor(seen: SeenLink): number {
    const { raw, epoch } = seen;
    if (this.#torn?.raw !== raw || this.#torn?.epoch !== epoch) this.#torn = { raw, epoch, since: performance.now() };
    return performance.now() - this.#torn.since;
  }
}

const foreign = (host: string): LoomError =>
  new LoomError(
    'DRAWER_FOREIGN',
    `The drawer was last held on another machine (${host}), and nobody here can tell whether it still is. Close Loom there; if that machine is off or gone, run \`loom unlock\` or confirm the unlock in VS Code.`,
  );

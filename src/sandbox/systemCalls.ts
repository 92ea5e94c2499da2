// Which system calls of Linux a command is refused, as the program that the kernel runs at each call (seccomp, classic BPF).
/**
 * Refused are Unix sockets (other programs of the person listen on them), io_uring (it would open them unseen), new
 * namespaces and mounts (they would undo what is hidden), and the kernel's keyrings.
 */
type Machine = {
  /** AUDIT_ARCH_…: numbers mean other calls on another one. */
  architecture: number;
  socket: number;
  clone: number;
  /** add_key, request_key, keyctl, unshare, setns, mount, umount2, pivot_root */
  refused: readonly number[];
};

const machines: Readonly<Record<string, Machine>> = {
  x64: { architecture: 0xc000003e, socket: 41, clone: 56, refused: [248, 249, 250, 272, 308, 165, 166, 155] },
  arm64: { architecture: 0xc00000b7, socket: 198, clone: 220, refused: [217, 218, 219, 97, 268, 40, 39, 41] },
};
/** The same on both: io_uring_setup, open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr. */
const refusedByAll = [425, 428, 429, 430, 431, 432, 433, 442];
const clone3 = 435;
/** On x64 the numbers of its second, 32-bit table begin here; on arm64 there are none. */
const secondTable = 0x40000000;

const unixFamily = 1;
const newUser = 0x10000000;

/** Where `struct seccomp_data` has its fields, in bytes. */
const at = { number: 0, architecture: 4, firstArgument: 16 };
const load = 0x20;
const ifEqual = 0x15;
const ifAtLeast = 0x35;
const ifAnyBit = 0x45;
const answer = 0x06;
const allow = 0x7fff0000;
const refuseWith = (errno: number): number => 0x00050000 | errno;
const notPermitted = refuseWith(1);
/** The caller takes an older call instead. */
const notThere = refuseWith(38);

/** An instruction; `yes` and `no` are how many of those that follow are passed over. */
type Instruction = readonly [code: number, yes: number, no: number, value: number];

const instructions = ({ architecture, socket, clone, refused }: Machine): Instruction[] => [
  [load, 0, 0, at.architecture],
  [ifEqual, 1, 0, architecture],
  [answer, 0, 0, notThere],
  [load, 0, 0, at.number],
  [ifAtLeast, 0, 1, secondTable],
  [answer, 0, 0, notThere],
  ...[...refused, ...refusedByAll].flatMap((number): Instruction[] => [
    [ifEqual, 0, 1, number],
    [answer, 0, 0, notPermitted],
  ]),
  [ifEqual, 0, 1, clone3],
  [answer, 0, 0, notThere],
  [ifEqual, 0, 3, socket],
  [load, 0, 0, at.firstArgument],
  [ifEqual, 0, 4, unixFamily],
  [answer, 0, 0, notPermitted],
  [ifEqual, 0, 2, clone],
  [load, 0, 0, at.firstArgument],
  [ifAnyBit, 1, 0, newUser],
  [answer, 0, 0, allow],
  [answer, 0, 0, notPermitted],
];

/** The filter for a processor, as bubblewrap reads it; undefined where nobody wrote one. */
export const systemCallFilter = (processor: string): Buffer | undefined => {
  const machine = machines[processor];
  if (machine === undefined) return undefined;
  return Buffer.concat(
    instructions(machine).map(([code, yes, no, value]) => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt16LE(code, 0);
      bytes.writeUInt8(yes, 2);
      bytes.writeUInt8(no, 3);
      bytes.writeUInt32LE(value >>> 0, 4);
      return bytes;
    }),
  );
};

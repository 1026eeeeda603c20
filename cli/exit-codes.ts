/** What a command ends with, for scripts (docs/command-line.md, "Exit codes"). */
export const EXIT = {
  done: 0,
  /** Refused or failed, and known to have changed nothing. */
  notDone: 1,
  /** The command line or a setting is wrong; nothing was sent. */
  usage: 2,
  /** It is not known whether it was done: read the state, or send the same again with the same key. */
  notKnown: 3,
  /** No gateway answers, or it does not accept the key. */
  unreachable: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

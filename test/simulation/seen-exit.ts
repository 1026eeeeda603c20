/** When an exit was seen to begin and to be over, by the time of the world; epoch ms. */
export interface SeenExit {
  readonly begunAt: number;
  /** The last look at which it was not over yet. */
  runningAt: number;
  /** The first look at which it was; null while it is not. */
  overAt: number | null;
}

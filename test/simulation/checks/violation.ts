/** A property that did not hold, and where. */
export interface Violation {
  /** `S5`: see docs/simulation.md, "What is checked". */
  readonly property: string;
  readonly text: string;
}

export const violation = (property: string, text: string): Violation => ({ property, text });

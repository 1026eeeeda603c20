import type { Sandbox } from '../../sandbox/kernel/sandbox.ts';

/** Who of a family is at the screen, and whom the settings name. */
export interface Users {
  /** The user that the settings name; null where they name none. */
  named: string | null;
  present: 'first' | 'other';
  /** When the first user was back (epoch ms): no session shows the other one's book after that. */
  backAt: number | null;
  /** A request token as the login page issues it to the user who is at the screen. */
  issueRequestToken(): string;
}

export function createUsers({ kite, otherUser }: Sandbox): Users {
  return {
    named: null,
    present: 'first',
    backAt: null,
    issueRequestToken() {
      const inspector = this.present === 'other' && otherUser ? otherUser : kite;
      return inspector.issueRequestToken();
    },
  };
}

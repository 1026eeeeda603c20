/** What the demo's gateway tells the demo, over the channel between the two processes. */
export type FromGateway =
  | {
      readonly kind: 'listening';
      readonly url: string;
      /** The path of a link that signs a browser in to the dashboard. */
      readonly link: string;
    }
  | { readonly kind: 'failed'; readonly reason: string };

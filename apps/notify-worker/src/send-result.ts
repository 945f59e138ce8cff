/** The result of one attempt. */
export type SendResult =
  | {
      readonly kind: 'accepted';
      readonly status: number | null;
      /** What was not accepted besides, as a sentence; null: everything was. */
      readonly note: string | null;
    }
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      readonly reason: string;
      readonly askedSeconds: number | null;
    };

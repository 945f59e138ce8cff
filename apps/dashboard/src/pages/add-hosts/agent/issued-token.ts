import type { Answer } from '../../../api/client.ts';

/** A registration token with its secret, which is known only until the page is left. */
export type IssuedToken = Answer<'post', '/registration-tokens'>;

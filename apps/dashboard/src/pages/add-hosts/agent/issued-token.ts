import type { Answer } from '../../../api/client.ts';

/** A registration token with its secret, which is known only until the user leaves the page. */
export type IssuedToken = Answer<'post', '/registration-tokens'>;

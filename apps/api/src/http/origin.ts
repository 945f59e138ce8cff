import type { Request } from 'express';

/**
 * The origin under which clients reach the API: the configured URL, otherwise that of the request. Safe in a shell
 * command.
 */
export function originOf(request: Request, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '');
  const host = request.host ?? '';
  return `${request.protocol}://${/^[\w.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}`;
}

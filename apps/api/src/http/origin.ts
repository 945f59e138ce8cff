import type { Request } from 'express';

/** Where clients reach us: the configured URL, else what the request says of it. Safe to put into a shell command. */
export function originOf(request: Request, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '');
  const host = request.host ?? '';
  return `${request.protocol}://${/^[\w.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}`;
}

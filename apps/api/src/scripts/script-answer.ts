/** A shell script as a download. `name` must be a constant: it is put into a header without escaping. */
export function scriptAnswer(name: string, script: Uint8Array) {
  return {
    kind: 'bytes',
    status: 200,
    type: 'text/x-shellscript; charset=utf-8',
    headers: { 'Content-Disposition': `attachment; filename="${name}"` },
    bytes: script,
  } as const;
}

import type { Socket } from 'node:net';

const headBytes = 5;
/** The type of records that a handshake consists of: RFC 8446, section 5.1. */
const handshakeType = 22;

/**
 * Calls `onComplete` once the first TLS record of a socket has arrived, or bytes that are not a handshake.
 * The bytes stay in the socket. Closes a socket whose client ends before that.
 */
export function awaitFirstMessage(socket: Socket, onComplete: () => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let expected = headBytes;
  const onReadable = (): void => {
    const piece: Buffer | null = socket.read();
    if (piece === null) return;
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < expected) return;
    const all = Buffer.concat(pieces);
    if (expected === headBytes) expected = recordBytes(all);
    if (bytes < expected) return;
    socket.off('readable', onReadable);
    socket.unshift(all);
    onComplete();
  };
  socket.on('readable', onReadable);
  socket.on('end', () => socket.destroy());
  // Clients reset connections; TLS takes over the errors when it starts.
  socket.on('error', () => undefined);
}

/** The length of the record that begins here, including its header. */
function recordBytes(start: Buffer): number {
  return start[0] === handshakeType ? headBytes + start.readUInt16BE(3) : headBytes;
}

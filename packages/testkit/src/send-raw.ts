import { connect } from 'node:net';

const IDLE_MS = 2_000;

/**
 * Writes bytes to a service unchanged. Resolves to everything it returns until the connection closes or is
 * silent for two seconds.
 */
export function sendRaw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
  });
}

import { inflateRawSync } from 'node:zlib';
import { MAX_MESSAGE_BYTES, XmlRefused } from './saml-xml.js';

/** The Base64 text of the POST binding, which may be broken into lines, as the XML it stands for. */
export function readSamlMessage(sent: string): string {
  return readUtf8(readBase64(sent));
}

/** The compressed text of the redirect binding. It is expanded no further than a message may be long. */
export function readCompressedMessage(sent: string): string {
  const compressed = readBase64(sent);
  let expanded: Buffer;
  try {
    expanded = inflateRawSync(compressed, { maxOutputLength: MAX_MESSAGE_BYTES });
  } catch {
    throw new XmlRefused('It is not compressed as the binding says, or too large.');
  }
  return readUtf8(expanded);
}

function readBase64(sent: string): Buffer {
  // Four characters for three bytes, and two for each of the line ends of 64 characters.
  if (sent.length > MAX_MESSAGE_BYTES * 1.4) throw new XmlRefused('It is too large.');
  const text = sent.replaceAll(/[ \t\r\n]/g, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw new XmlRefused('It is not Base64.');
  return Buffer.from(text, 'base64');
}

function readUtf8(bytes: Buffer): string {
  if (bytes.length > MAX_MESSAGE_BYTES) throw new XmlRefused('It is too large.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new XmlRefused('It is not UTF-8.');
  }
}

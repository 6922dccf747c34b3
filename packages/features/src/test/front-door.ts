import { request as send } from 'node:http';
import { serveApp } from './serve-app.js';

/** An address that is known before the service behind it listens, as that of a balancer is. */
export async function openFrontDoor() {
  let behind = '';
  const door = await serveApp((request, response) => {
    const { method, headers, url = '/' } = request;
    const passed = send(`${behind}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.writeHead(502).end());
    request.pipe(passed);
  });
  return {
    ...door,
    leadTo(url: string) {
      behind = url;
    },
  };
}

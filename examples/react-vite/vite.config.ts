import { defineConfig } from 'vite';

/** The service below this page's own origin, so that its cookie is of this page. Your web server does the same in production. */
const proxy = {
  '/gatehouse': {
    target: process.env['GATEHOUSE_URL'] ?? 'http://127.0.0.1:4000',
    rewrite: (path: string) => path.replace('/gatehouse', ''),
  },
};

export default defineConfig({ server: { proxy }, preview: { proxy } });

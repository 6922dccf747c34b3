import { createMainClient } from '@gatehouse/client-sdk';
import { GatehouseProvider } from '@gatehouse/client-sdk/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';

const gatehouse = createMainClient({
  url: `${location.origin}/gatehouse`,
  // The browser keeps the session in a cookie that no script reads.
  session: 'cookie',
  // Calls that are hard to undo require a new verification. The client proves it and repeats the call.
  async onVerification({ methods }) {
    const answer = prompt(methods.includes('totp') ? 'Code of your app' : 'Your password, again');
    if (answer === null) return undefined;
    return methods.includes('totp') ? { code: answer } : { password: answer };
  },
});

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <GatehouseProvider client={gatehouse}>
        <App />
      </GatehouseProvider>
    </StrictMode>,
  );
}

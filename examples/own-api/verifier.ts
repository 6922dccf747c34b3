import { createVerifier } from '@gatehouse/client-sdk/verify';

export const verifier = createVerifier({ url: process.env['GATEHOUSE_URL'] ?? 'http://127.0.0.1:4000' });

export const PORT = Number(process.env['PORT'] ?? 5000);

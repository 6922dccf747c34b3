import { VERSION } from '@gatehouse/auth-core';
import { runDeployment } from '@gatehouse/features/deployment/run-deployment';
import { createApp } from './app.js';
import { adminConfigShape } from './config.js';
import { SERVICE_NAME } from './identity.js';
import { jobs } from './jobs.js';

await runDeployment(
  {
    name: SERVICE_NAME,
    version: VERSION,
    application: 'admin',
    configShape: adminConfigShape,
    jobs,
    createApp,
  },
  process.env,
);

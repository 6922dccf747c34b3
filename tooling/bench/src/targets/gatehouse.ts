import { createApp } from '@gatehouse/api-main/app';
import { mainConfigShape } from '@gatehouse/api-main/config';
import { openDatabase } from '@gatehouse/db/open-database';
import { readConfig } from '@gatehouse/features/core/config';
import { createServices } from '@gatehouse/features/deployment/create-services';
import { createLogger } from '@gatehouse/runtime/log/log';
import { listenAndReport } from '../target.js';

const config = readConfig(mainConfigShape, process.env);
const db = await openDatabase(config.DATABASE_URL);
const log = createLogger({ service: 'api-main', level: config.LOG_LEVEL });
const services = createServices({ config, db, log, application: 'web' });

process.on('message', (message) => {
  if (message === 'statistics')
    process.send?.({ statistics: { ...db.statistics, ...services.access.statistics } });
  if (message === 'usage') {
    const { user, system } = process.cpuUsage();
    process.send?.({ usage: { processorMs: (user + system) / 1_000 } });
  }
});
listenAndReport(createApp(services).server);

import { createApp } from '@gatehouse/api-main/app';
import { configShape } from '@gatehouse/api-main/config';
import { openDatabase } from '@gatehouse/db';
import { readConfig } from '@gatehouse/features/app/config';
import { makeKit } from '@gatehouse/features/deployment/make-kit';
import { createLogger } from '@gatehouse/runtime/log/log';
import { makeObjectsYoung } from '@gatehouse/runtime/make-objects-young';
import { listenAndReport } from './target-process.js';

makeObjectsYoung();
const config = readConfig(configShape, process.env);
const db = await openDatabase(config.DATABASE_URL);
const log = createLogger({ service: 'api-main', level: config.LOG_LEVEL });
const kit = makeKit({ config, db, log, application: 'web' });

process.on('message', (message) => {
  if (message === 'statistics')
    process.send?.({ statistics: { ...db.statistics, ...kit.access.statistics } });
});
listenAndReport(createApp(kit).server);

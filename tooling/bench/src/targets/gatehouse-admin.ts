import { createApp } from '@gatehouse/api-admin/app';
import { adminConfigShape } from '@gatehouse/api-admin/config';
import { openDatabase } from '@gatehouse/db/open-database';
import { readConfig } from '@gatehouse/features/core/config';
import { createServices } from '@gatehouse/features/deployment/create-services';
import { createLogger } from '@gatehouse/runtime/log/log';
import { listenAndReport } from '../target.js';

const config = readConfig(adminConfigShape, process.env);
const db = await openDatabase(config.DATABASE_URL);
const log = createLogger({ service: 'api-admin', level: config.LOG_LEVEL });
const services = createServices({ config, db, log, application: 'admin' });

listenAndReport(createApp(services).server);

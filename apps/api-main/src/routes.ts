import { loginRows, pageIn, passwordLoginIn, type RestRow, routesOver, sessionRows } from '@gatehouse/api-kit';
import { procedures } from './router.js';

const { get, post } = routesOver(procedures);

/** The whole HTTP surface of the main service: one row per documented path. */
export const routes: readonly RestRow[] = [
  get('/', 'health.bearer'),
  ...loginRows,
  post('/login', 'login.plain', passwordLoginIn, { form: true }),
  post('/desigrauthenticate', 'login.designer', passwordLoginIn, { form: true }),
  ...sessionRows,
  get('/getAllMemberslist', 'member.list', ({ fields }) => pageIn(fields)),
];

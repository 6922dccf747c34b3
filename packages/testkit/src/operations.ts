import './provided-context.js';

export { findNginx } from './find-nginx.js';
export { findProgram } from './find-program.js';
export { findPython } from './find-python.js';
export { type ProcessFigures, readProcessFigures } from './process-figures.js';
export { startDatabaseServer } from './start-database-server.js';
export { type LossyLink, type SlowLink, startLossyLink, startSlowLink } from './start-faulty-link.js';
export { type GaleraCluster, type GaleraNode, startGaleraCluster } from './start-galera-cluster.js';
export { startHaproxy } from './start-haproxy.js';
export { type RunningPrometheus, startPrometheus } from './start-prometheus.js';
export { startProxy } from './start-proxy.js';

CREATE INDEX `audit_log_request_id_id_index` ON `audit_log` (`request_id`,`id`);

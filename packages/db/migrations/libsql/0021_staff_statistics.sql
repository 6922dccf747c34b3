CREATE TABLE `statistic_counters` (
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`slot` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`, `slot`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `statistic_counters_slot_index` ON `statistic_counters` (`slot`);
--> statement-breakpoint
CREATE TABLE `statistic_gauges` (
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	`oldest_at_ms` integer,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `seen_members` (
	`member_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`slot` integer NOT NULL,
	PRIMARY KEY(`member_id`, `account_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `service_nodes` (
	`name` text PRIMARY KEY NOT NULL,
	`service` text NOT NULL,
	`slowest_ms` integer NOT NULL,
	`reported_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `service_nodes_reported_at_ms_index` ON `service_nodes` (`reported_at_ms`);
--> statement-breakpoint
ALTER TABLE `members` ADD `is_counted` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX `members_personnel_ended_at_ms_id_index` ON `members` (`personnel_ended_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `members_is_counted_id_index` ON `members` (`is_counted`,`id`);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `is_counted` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX `sessions_is_counted_id_index` ON `sessions` (`is_counted`,`id`);
--> statement-breakpoint
ALTER TABLE `webhook_log` ADD `account_id` integer;
--> statement-breakpoint
CREATE INDEX `webhook_log_account_id_id_index` ON `webhook_log` (`account_id`,`id`);
--> statement-breakpoint
ALTER TABLE `security_events` ADD `is_counted` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `security_events` ADD `counted_times` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `security_events_is_counted_id_index` ON `security_events` (`is_counted`,`id`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_member_id_id_index` ON `mail_outbox` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_state_id_index` ON `mail_outbox` (`state`,`id`);
--> statement-breakpoint
CREATE INDEX `login_failures_failures_index` ON `login_failures` (`failures`);

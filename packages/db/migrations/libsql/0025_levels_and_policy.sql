CREATE TABLE `enrolment_tickets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ticket_key` text NOT NULL,
	`member_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `enrolment_tickets_ticket_key_unique` ON `enrolment_tickets` (`ticket_key`);
--> statement-breakpoint
CREATE INDEX `enrolment_tickets_member_id_index` ON `enrolment_tickets` (`member_id`);
--> statement-breakpoint
CREATE INDEX `enrolment_tickets_expires_at_ms_index` ON `enrolment_tickets` (`expires_at_ms`);
--> statement-breakpoint
ALTER TABLE `members` ADD `level_deferred_until_ms` integer;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `required_level` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `required_from_ms` integer;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `required_until_then` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
CREATE INDEX `accounts_required_level_id_index` ON `accounts` (`required_level`,`id`);
--> statement-breakpoint
ALTER TABLE `service_nodes` ADD `release` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `members` SET `level_deferred_until_ms` = CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) + 2592000000 WHERE `is_personnel` = 1 AND `is_deleted` <> 1 AND (`role_type` = 0 OR `banned_role_type` = 0);
--> statement-breakpoint
INSERT INTO `service_nodes` (`name`, `service`, `release`, `slowest_ms`, `reported_at_ms`) SELECT 'before the upgrade', '', 0, 0, CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) WHERE EXISTS (SELECT 1 FROM `members`) AND NOT EXISTS (SELECT 1 FROM `service_nodes` WHERE `name` = 'before the upgrade');

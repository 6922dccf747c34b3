CREATE TABLE `enrolment_tickets` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`ticket_key` varchar(64) NOT NULL,
	`member_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`used_at_ms` bigint,
	CONSTRAINT `enrolment_tickets_id` PRIMARY KEY(`id`),
	CONSTRAINT `enrolment_tickets_ticket_key_unique` UNIQUE(`ticket_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
ALTER TABLE `members` ADD `level_deferred_until_ms` bigint;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `required_level` int DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `required_from_ms` bigint;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `required_until_then` int DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `service_nodes` ADD `release` int DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `enrolment_tickets_member_id_index` ON `enrolment_tickets` (`member_id`);
--> statement-breakpoint
CREATE INDEX `enrolment_tickets_expires_at_ms_index` ON `enrolment_tickets` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `accounts_required_level_id_index` ON `accounts` (`required_level`,`id`);
--> statement-breakpoint
UPDATE `members` SET `level_deferred_until_ms` = CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) + 2592000000 WHERE `is_personnel` = TRUE AND `is_deleted` <> TRUE AND (`role_type` = 0 OR `banned_role_type` = 0);
--> statement-breakpoint
INSERT INTO `service_nodes` (`name`, `service`, `release`, `slowest_ms`, `reported_at_ms`) SELECT 'before the upgrade', '', 0, 0, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) FROM DUAL WHERE EXISTS (SELECT 1 FROM `members`) AND NOT EXISTS (SELECT 1 FROM `service_nodes` WHERE `name` = 'before the upgrade');

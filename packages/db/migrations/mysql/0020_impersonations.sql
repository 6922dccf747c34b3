CREATE TABLE `impersonations` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`actor_id` bigint NOT NULL,
	`actor_epoch` int NOT NULL,
	`member_id` bigint NOT NULL,
	`account_id` bigint,
	`reason` varchar(500) NOT NULL,
	`may_write` boolean NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`ended_at_ms` bigint,
	`ended_by_id` bigint,
	CONSTRAINT `impersonations_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
ALTER TABLE `members` ADD `impersonation_id` bigint;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `impersonation_id` bigint;
--> statement-breakpoint
CREATE INDEX `impersonations_actor_id_id_index` ON `impersonations` (`actor_id`,`id`);
--> statement-breakpoint
CREATE INDEX `impersonations_member_id_id_index` ON `impersonations` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sessions_impersonation_id_index` ON `sessions` (`impersonation_id`);

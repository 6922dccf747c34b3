CREATE TABLE `recoveries` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`open_key` bigint,
	`opened_by_id` bigint NOT NULL,
	`reason` varchar(500) NOT NULL,
	`needs_approval` boolean NOT NULL,
	`approved_by_id` bigint,
	`approved_at_ms` bigint,
	`opened_at_ms` bigint NOT NULL,
	`effective_at_ms` bigint NOT NULL,
	`ticket_digest` varchar(64),
	`ticket_expires_at_ms` bigint,
	`ticket_used_at_ms` bigint,
	`ended_at_ms` bigint,
	`ended_by_id` bigint,
	`outcome` varchar(16),
	CONSTRAINT `recoveries_id` PRIMARY KEY(`id`),
	CONSTRAINT `recoveries_open_key_unique` UNIQUE(`open_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `former_addresses` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`email` varchar(320) NOT NULL,
	`until_ms` bigint NOT NULL,
	CONSTRAINT `former_addresses_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
ALTER TABLE `members` ADD `password_listed_at_ms` bigint;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `recovery_id` bigint;
--> statement-breakpoint
CREATE INDEX `recoveries_member_id_id_index` ON `recoveries` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `recoveries_opened_by_id_opened_at_ms_index` ON `recoveries` (`opened_by_id`,`opened_at_ms`);
--> statement-breakpoint
CREATE INDEX `recoveries_ended_at_ms_effective_at_ms_index` ON `recoveries` (`ended_at_ms`,`effective_at_ms`);
--> statement-breakpoint
CREATE INDEX `former_addresses_member_id_until_ms_index` ON `former_addresses` (`member_id`,`until_ms`);
--> statement-breakpoint
CREATE INDEX `former_addresses_until_ms_index` ON `former_addresses` (`until_ms`);

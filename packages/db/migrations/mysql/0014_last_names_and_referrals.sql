CREATE TABLE `referrals` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`affiliate_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `referrals_id` PRIMARY KEY(`id`),
	CONSTRAINT `referrals_member_id_unique` UNIQUE(`member_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
ALTER TABLE `members` ADD `last_name_key` varchar(640);
--> statement-breakpoint
CREATE INDEX `referrals_affiliate_id_member_id_index` ON `referrals` (`affiliate_id`,`member_id`);
--> statement-breakpoint
CREATE INDEX `members_last_name_key_is_deleted_index` ON `members` (`last_name_key`,`is_deleted`);

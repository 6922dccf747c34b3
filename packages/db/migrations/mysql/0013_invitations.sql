CREATE TABLE `invitations` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`email` varchar(320) NOT NULL,
	`email_key` varchar(640) NOT NULL,
	`open_key` varchar(640),
	`role_type` int NOT NULL,
	`custom_role_id` bigint,
	`status` varchar(16) NOT NULL,
	`inviter_id` bigint NOT NULL,
	`token_key` varchar(64),
	`mail_id` bigint,
	`last_sent_at_ms` bigint,
	`expires_at_ms` bigint NOT NULL,
	`ended_at_ms` bigint,
	`ended_by_id` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `invitations_id` PRIMARY KEY(`id`),
	CONSTRAINT `invitations_account_id_open_key_unique` UNIQUE(`account_id`,`open_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE INDEX `invitations_account_id_id_index` ON `invitations` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `invitations_email_key_id_index` ON `invitations` (`email_key`,`id`);

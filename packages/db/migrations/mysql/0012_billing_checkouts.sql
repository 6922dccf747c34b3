CREATE TABLE `billing_checkouts` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`provider` varchar(32) NOT NULL,
	`price_id` varchar(255) NOT NULL,
	`attempt_key` varchar(64) NOT NULL,
	`lease_token` varchar(64),
	`lease_until_ms` bigint,
	`open_provider` varchar(32),
	`open_price_id` varchar(255),
	`checkout_id` varchar(255),
	`url` mediumtext,
	`expires_at_ms` bigint,
	`checked_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `billing_checkouts_id` PRIMARY KEY(`id`),
	CONSTRAINT `billing_checkouts_account_id_unique` UNIQUE(`account_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `past_due_at_ms` bigint;

CREATE TABLE `billing_subscriptions` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`provider` varchar(32) NOT NULL,
	`subscription_id` varchar(255) NOT NULL,
	`customer_id` varchar(255) NOT NULL,
	`account_id` bigint,
	`facts` mediumtext NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `billing_subscriptions_id` PRIMARY KEY(`id`),
	CONSTRAINT `billing_subscriptions_provider_subscription_id_unique` UNIQUE(`provider`,`subscription_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_account_id_id_index` ON `billing_subscriptions` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_provider_customer_id_index` ON `billing_subscriptions` (`provider`,`customer_id`);

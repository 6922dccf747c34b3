ALTER TABLE `subscriptions` ADD `add_ons` mediumtext;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `is_collection_paused` boolean;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `asked_at_ms` bigint;
--> statement-breakpoint
ALTER TABLE `billing_customers` ADD `is_gone` boolean;
--> statement-breakpoint
CREATE INDEX `subscriptions_state_period_ends_at_ms_index` ON `subscriptions` (`state`,`period_ends_at_ms`);

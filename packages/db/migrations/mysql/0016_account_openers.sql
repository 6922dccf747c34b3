ALTER TABLE `accounts` ADD `opened_by_id` bigint;
--> statement-breakpoint
CREATE INDEX `accounts_opened_by_id_index` ON `accounts` (`opened_by_id`);

ALTER TABLE `accounts` ADD `opened_by_id` integer;
--> statement-breakpoint
CREATE INDEX `accounts_opened_by_id_index` ON `accounts` (`opened_by_id`);

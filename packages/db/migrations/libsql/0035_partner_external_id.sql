ALTER TABLE `partners` ADD `external_id` text;
--> statement-breakpoint
CREATE UNIQUE INDEX `partners_external_id_unique` ON `partners` (`external_id`);

ALTER TABLE `partners` ADD `external_id` varchar(128);
--> statement-breakpoint
ALTER TABLE `partners` ADD CONSTRAINT `partners_external_id_unique` UNIQUE(`external_id`);

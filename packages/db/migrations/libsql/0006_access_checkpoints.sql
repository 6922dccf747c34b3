CREATE TABLE `access_checkpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`change_id` integer NOT NULL,
	`at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `access_checkpoints_change_id_unique` ON `access_checkpoints` (`change_id`);

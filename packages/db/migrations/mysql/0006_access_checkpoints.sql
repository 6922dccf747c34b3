CREATE TABLE `access_checkpoints` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`change_id` bigint NOT NULL,
	`at_ms` bigint NOT NULL,
	CONSTRAINT `access_checkpoints_id` PRIMARY KEY(`id`),
	CONSTRAINT `access_checkpoints_change_id_unique` UNIQUE(`change_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
